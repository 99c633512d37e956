#pragma once
#include <curl/curl.h>
#include <dlfcn.h>

// Loaded at the first use instead of linked: libcurl brings thirty libraries, four megabytes and eight milliseconds of
// start into every process, and a plugin that pairs nothing never asks a server.

typedef size_t (*lintel_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*lintel_curl_socket)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*lintel_curl_timer)(CURLM *multi, long milliseconds, void *context);

// All of libcurl that is used; never freed.
typedef struct {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *easy);
    const char *(*easy_strerror)(CURLcode code);
    CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *multi);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_socket_action)(CURLM *multi, curl_socket_t socket, int events, int *running);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *left);
    const char *(*multi_strerror)(CURLMcode code);
    CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
} lintel_curl;

static inline int lintel_curl_load(lintel_curl *curl) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
#define LINTEL_FIND(name)                                            \
    *(void **)&curl->name = dlsym(library, "curl_" #name);           \
    if (!curl->name) return 0;
    LINTEL_FIND(global_init)
    LINTEL_FIND(easy_init)
    LINTEL_FIND(easy_cleanup)
    LINTEL_FIND(easy_strerror)
    LINTEL_FIND(easy_setopt)
    LINTEL_FIND(multi_init)
    LINTEL_FIND(multi_cleanup)
    LINTEL_FIND(multi_add_handle)
    LINTEL_FIND(multi_remove_handle)
    LINTEL_FIND(multi_socket_action)
    LINTEL_FIND(multi_info_read)
    LINTEL_FIND(multi_strerror)
    LINTEL_FIND(multi_setopt)
    LINTEL_FIND(slist_append)
    LINTEL_FIND(slist_free_all)
#undef LINTEL_FIND
    return curl->global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

static inline CURL *lintel_curl_easy_init(const lintel_curl *curl) { return curl->easy_init(); }
static inline void lintel_curl_easy_cleanup(const lintel_curl *curl, CURL *easy) { curl->easy_cleanup(easy); }
static inline const char *lintel_curl_easy_strerror(const lintel_curl *curl, CURLcode code) {
    return curl->easy_strerror(code);
}
static inline CURLM *lintel_curl_multi_init(const lintel_curl *curl) { return curl->multi_init(); }
static inline void lintel_curl_multi_cleanup(const lintel_curl *curl, CURLM *multi) { curl->multi_cleanup(multi); }
static inline CURLMcode lintel_curl_multi_add(const lintel_curl *curl, CURLM *multi, CURL *easy) {
    return curl->multi_add_handle(multi, easy);
}
static inline void lintel_curl_multi_remove(const lintel_curl *curl, CURLM *multi, CURL *easy) {
    curl->multi_remove_handle(multi, easy);
}
static inline void lintel_curl_multi_act(const lintel_curl *curl, CURLM *multi, curl_socket_t socket, int events) {
    int running = 0;
    curl->multi_socket_action(multi, socket, events, &running);
}
// The next request that has ended, or NULL.
static inline CURL *lintel_curl_multi_next(const lintel_curl *curl, CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl->multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
static inline const char *lintel_curl_multi_strerror(const lintel_curl *curl, CURLMcode code) {
    return curl->multi_strerror(code);
}
static inline struct curl_slist *lintel_curl_append(const lintel_curl *curl, struct curl_slist *list, const char *text) {
    return curl->slist_append(list, text);
}
static inline void lintel_curl_free(const lintel_curl *curl, struct curl_slist *list) { curl->slist_free_all(list); }

// Swift cannot call variadic functions.

static inline void lintel_curl_set_long(const lintel_curl *curl, CURL *easy, CURLoption option, long value) {
    curl->easy_setopt(easy, option, value);
}
static inline void lintel_curl_set_size(const lintel_curl *curl, CURL *easy, CURLoption option, curl_off_t value) {
    curl->easy_setopt(easy, option, value);
}
static inline void lintel_curl_set_text(const lintel_curl *curl, CURL *easy, CURLoption option, const char *value) {
    curl->easy_setopt(easy, option, value);
}
static inline void lintel_curl_set_bytes(const lintel_curl *curl, CURL *easy, CURLoption option, const void *value) {
    curl->easy_setopt(easy, option, value);
}
static inline void lintel_curl_set_headers(const lintel_curl *curl, CURL *easy, struct curl_slist *value) {
    curl->easy_setopt(easy, CURLOPT_HTTPHEADER, value);
}
static inline void lintel_curl_on_body(const lintel_curl *curl, CURL *easy, lintel_curl_bytes function, void *context) {
    curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
    curl->easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
static inline void lintel_curl_on_header(const lintel_curl *curl, CURL *easy, lintel_curl_bytes function, void *context) {
    curl->easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
    curl->easy_setopt(easy, CURLOPT_HEADERDATA, context);
}
static inline void lintel_curl_multi_set_long(const lintel_curl *curl, CURLM *multi, CURLMoption option, long value) {
    curl->multi_setopt(multi, option, value);
}
static inline void lintel_curl_on_socket(
    const lintel_curl *curl, CURLM *multi, lintel_curl_socket function, void *context
) {
    curl->multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
    curl->multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline void lintel_curl_on_timer(
    const lintel_curl *curl, CURLM *multi, lintel_curl_timer function, void *context
) {
    curl->multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
    curl->multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

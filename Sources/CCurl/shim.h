#pragma once
#include <curl/curl.h>

// Swift cannot call variadic functions; the parentheses keep the type-checking macros out of the way.

typedef size_t (*lintel_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
typedef int (*lintel_curl_socket)(CURL *easy, curl_socket_t socket, int what, void *context, void *socket_context);
typedef int (*lintel_curl_timer)(CURLM *multi, long milliseconds, void *context);

static inline CURLcode lintel_curl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode lintel_curl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode lintel_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode lintel_curl_set_bytes(CURL *easy, CURLoption option, const void *value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode lintel_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(easy, option, value);
}
static inline CURLcode lintel_curl_on_body(CURL *easy, lintel_curl_bytes function, void *context) {
    CURLcode code = (curl_easy_setopt)(easy, CURLOPT_WRITEFUNCTION, function);
    return code != CURLE_OK ? code : (curl_easy_setopt)(easy, CURLOPT_WRITEDATA, context);
}
static inline CURLcode lintel_curl_on_header(CURL *easy, lintel_curl_bytes function, void *context) {
    CURLcode code = (curl_easy_setopt)(easy, CURLOPT_HEADERFUNCTION, function);
    return code != CURLE_OK ? code : (curl_easy_setopt)(easy, CURLOPT_HEADERDATA, context);
}
static inline CURLMcode lintel_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}
static inline CURLMcode lintel_curl_on_socket(CURLM *multi, lintel_curl_socket function, void *context) {
    CURLMcode code = (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, function);
    return code != CURLM_OK ? code : (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode lintel_curl_on_timer(CURLM *multi, lintel_curl_timer function, void *context) {
    CURLMcode code = (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, function);
    return code != CURLM_OK ? code : (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
}
// The result of a message is a member of a union.
static inline CURLcode lintel_curl_result(const CURLMsg *message) { return message->data.result; }

#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

// Swift sees neither function-like macros nor constants with casts in them.

/// Allows one protocol version only; 1 on success.
static inline int lintel_ssl_ctx_set_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version) == 1
        && SSL_CTX_set_max_proto_version(context, version) == 1;
}

/// Names the curves, in the order of preference; 1 on success.
static inline long lintel_ssl_ctx_set_groups(SSL_CTX *context, const char *names) {
    return SSL_CTX_set1_groups_list(context, names);
}

static inline void lintel_ssl_ctx_set_no_cache(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline void lintel_ssl_ctx_set_options(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE
                                     | SSL_OP_NO_COMPRESSION);
}

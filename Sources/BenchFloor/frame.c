#include "frame.h"

#include <arpa/inet.h>
#include <openssl/evp.h>
#include <string.h>

static EVP_CIPHER_CTX *encryptor, *decryptor;
static uint32_t crc_table[256];

bool frame_setup(const char *key) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
        crc_table[i] = c;
    }
    encryptor = EVP_CIPHER_CTX_new();
    decryptor = EVP_CIPHER_CTX_new();
    // ECB keeps nothing between whole blocks, so one context a direction serves every frame without another set-up.
    return encryptor && decryptor && EVP_EncryptInit_ex(encryptor, EVP_aes_128_ecb(), NULL, (const uint8_t *)key, NULL)
        && EVP_DecryptInit_ex(decryptor, EVP_aes_128_ecb(), NULL, (const uint8_t *)key, NULL)
        && EVP_CIPHER_CTX_set_padding(encryptor, 0) && EVP_CIPHER_CTX_set_padding(decryptor, 0);
}

static uint32_t crc32_of(const uint8_t *p, size_t n) {
    uint32_t c = ~0U;
    while (n--) c = crc_table[(c ^ *p++) & 255] ^ (c >> 8);
    return ~c;
}

static uint8_t *put32(uint8_t *p, uint32_t value) {
    value = htonl(value);
    memcpy(p, &value, 4);
    return p + 4;
}

static uint32_t get32(const uint8_t *p) {
    uint32_t value;
    memcpy(&value, p, 4);
    return ntohl(value);
}

size_t frame_encode(uint8_t *frame, uint32_t sequence, uint32_t command, uint8_t *json, size_t length) {
    static const uint8_t header[15] = "3.3";
    bool with_header = command != COMMAND_HEARTBEAT && command != COMMAND_QUERY;
    uint8_t *p = frame;
    int written = 0;
    size_t pad = 16 - length % 16;
    memset(json + length, (int)pad, pad);
    p = put32(p, 0x000055AA);
    p = put32(p, sequence);
    p = put32(p, command);
    p = put32(p, (uint32_t)(length + pad + 8 + (with_header ? sizeof header : 0)));
    if (with_header) p = (uint8_t *)memcpy(p, header, sizeof header) + sizeof header;
    EVP_EncryptUpdate(encryptor, p, &written, json, (int)(length + pad));
    p += written;
    p = put32(p, crc32_of(frame, (size_t)(p - frame)));
    p = put32(p, 0x0000AA55);
    return (size_t)(p - frame);
}

long frame_length(const uint8_t *bytes, size_t count) {
    if (count < 16) return 0;
    size_t length = (size_t)get32(bytes + 12) + 16;
    return get32(bytes) == 0x000055AA && length >= 24 && length <= FRAME_LIMIT ? (long)length : -1;
}

uint32_t frame_command(const uint8_t *frame) { return get32(frame + 8); }

long frame_decode(const uint8_t *frame, size_t length, char *json) {
    const uint8_t *payload = frame + 16;
    size_t n = length - 24;
    int size = 0;
    if (crc32_of(frame, length - 8) != get32(frame + length - 8)) return -1;
    if (n >= 4 && !payload[0] && !payload[1] && !payload[2]) payload += 4, n -= 4;  // the return code
    if (n >= 15 && !memcmp(payload, "3.3", 3)) payload += 15, n -= 15;
    if (n == 0 || n % 16) return -1;
    EVP_DecryptUpdate(decryptor, (uint8_t *)json, &size, payload, (int)n);
    if (size < 16 || json[size - 1] < 1 || json[size - 1] > 16) return -1;
    size -= json[size - 1];
    json[size] = 0;
    return size;
}

// Frames of Tuya's LAN protocol 3.3: `00 00 55 AA`, sequence, command, length, payload, CRC32, `00 00 AA 55`.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_LIMIT = 2048,  // bytes; a lamp's longest frame is far below
    COMMAND_SET = 0x07,
    COMMAND_REPORT = 0x08,
    COMMAND_HEARTBEAT = 0x09,
    COMMAND_QUERY = 0x0A,
};

// Prepares the ciphers for the 16-byte key that all lamps share. Called once; false if libcrypto refuses.
bool frame_setup(const char *key);

// Pads `json` in place (there must be room for 16 bytes behind it), encrypts it and writes one frame to `frame`, which
// holds FRAME_LIMIT bytes. Returns the frame's size.
size_t frame_encode(uint8_t *frame, uint32_t sequence, uint32_t command, uint8_t *json, size_t length);

// The size of the frame that `bytes` begin, 0 while too few are there to know, or -1 if they begin no frame.
long frame_length(const uint8_t *bytes, size_t count);

uint32_t frame_command(const uint8_t *frame);

// Checks and decrypts one complete frame into `json` (FRAME_LIMIT bytes), ended by NUL. Returns its length, or -1.
long frame_decode(const uint8_t *frame, size_t length, char *json);

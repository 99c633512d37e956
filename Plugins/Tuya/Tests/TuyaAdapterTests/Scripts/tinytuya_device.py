"""A lamp on the LAN whose frames, checksums and ciphers are tinytuya's.

usage: tinytuya_device.py VERSION DEVICE_ID LOCAL_KEY

tinytuya is a client and has no device; this uses its framing and its cipher from the other end. Prints one JSON object a
line: first {"port": N}, then {"set": {...}} for every set. Ends with its standard input.
"""

import hashlib
import hmac
import json
import os
import socket
import struct
import sys
import threading
import time

from tinytuya.core import header as H
from tinytuya.core.crypto_helper import AESCipher
from tinytuya.core.message_helper import TuyaMessage, pack_message, parse_header, unpack_message

VERSION, DEVICE_ID, KEY = sys.argv[1], sys.argv[2], sys.argv[3].encode("latin-1")
NEGOTIATES = VERSION in ("3.4", "3.5")
SEALED = VERSION == "3.5"
POINTS = {"20": True, "21": "white", "22": 1000, "23": 500, "24": "000003e803e8"}


def say(what):
    print(json.dumps(what), flush=True)


class Session:
    """One client's connection."""

    def __init__(self, connection):
        self.connection = connection
        self.key = KEY
        self.number = 0
        self.nonce = None

    def serve(self):
        buffer = b""
        while True:
            data = self.connection.recv(4096)
            if not data:
                return
            buffer += data
            while len(buffer) >= 16:
                head = parse_header(buffer)
                if len(buffer) < head.total_length:
                    break
                self.frame(buffer[: head.total_length], head)
                buffer = buffer[head.total_length :]

    def frame(self, data, head):
        protection = self.key if NEGOTIATES else None
        message = unpack_message(data, hmac_key=protection, header=head, no_retcode=True)
        assert message.crc_good, "the client's checksum does not fit"
        self.handle(head.cmd, head.seqno, message.payload)

    def body(self, payload):
        """The plain body of a request."""
        if not payload:
            return b""
        if VERSION == "3.1":
            if not payload.startswith(b"3.1"):
                return payload
            return AESCipher(self.key).decrypt(payload[19:], use_base64=True, decode_text=False)
        if VERSION == "3.3":
            if payload.startswith(b"3.3"):
                payload = payload[15:]
            return AESCipher(self.key).decrypt(payload, use_base64=False, decode_text=False)
        if VERSION == "3.4":
            payload = AESCipher(self.key).decrypt(payload, use_base64=False, decode_text=False)
        return payload[15:] if payload.startswith(VERSION.encode()) else payload

    def answer(self, command, body, number=None, headed=False):
        """Sends a body as this version's devices do."""
        self.number += 1
        code = struct.pack(">I", 0)
        start = VERSION.encode() + b"\0" * 12 if headed else b""
        prefix = H.PREFIX_6699_VALUE if SEALED else H.PREFIX_55AA_VALUE
        if SEALED:
            payload = code + start + body
        elif VERSION == "3.4":
            plain = start + body
            payload = code + (AESCipher(self.key).encrypt(plain, use_base64=False) if plain else b"")
        elif VERSION == "3.3":
            payload = code + start + (AESCipher(self.key).encrypt(body, use_base64=False) if body else b"")
        else:
            payload = code + body
        number = number if number is not None and not NEGOTIATES else self.number
        message = TuyaMessage(number, command, None, payload, 0, True, prefix, None)
        self.connection.sendall(pack_message(message, hmac_key=self.key if NEGOTIATES else None))

    def handle(self, command, number, payload):
        if command == 0x03:
            client = self.body(payload)
            self.nonce = os.urandom(16)
            self.client_nonce = client
            return self.answer(0x04, self.nonce + hmac.new(KEY, client, hashlib.sha256).digest())
        if command == 0x05:
            assert self.body(payload) == hmac.new(KEY, self.nonce, hashlib.sha256).digest(), "wrong proof"
            mixed = bytes(a ^ b for a, b in zip(self.client_nonce, self.nonce))
            if SEALED:
                self.key = AESCipher(KEY).encrypt(mixed, use_base64=False, pad=False, iv=self.client_nonce[:12])[12:28]
            else:
                self.key = AESCipher(KEY).encrypt(mixed, use_base64=False, pad=False)
            return None
        if command == 0x09:
            return self.answer(0x09, b"", number)
        if command in (0x0A, 0x10):
            status = {"devId": DEVICE_ID, "dps": POINTS}
            return self.answer(command, json.dumps(status).encode(), number)
        if command in (0x07, 0x0D):
            request = json.loads(self.body(payload))
            points = request["data"]["dps"] if NEGOTIATES else request["dps"]
            POINTS.update(points)
            say({"set": points})
            self.answer(command, b"", number)
            report = {"protocol": 4, "t": int(time.time()), "data": {"dps": points}} if NEGOTIATES else {"dps": points}
            return self.answer(0x08, json.dumps(report).encode(), 0, headed=VERSION != "3.1")
        return None


def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(4)
    say({"port": listener.getsockname()[1]})
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=Session(connection).serve, daemon=True).start()


threading.Thread(target=main, daemon=True).start()
sys.stdin.read()

"""A client of another make (mbedTLS) for the tests of our server: sends lines, prints what it gets back.

Usage: mbedtls_client.py PORT IDENTITY KEY SUITE MESSAGE...
"""

import socket
import sys

from mbedtls import tls


def main() -> None:
    port, identity, key, suite, *messages = sys.argv[1:]
    configuration = tls.TLSConfiguration(
        ciphers=[suite],
        lowest_supported_version=tls.TLSVersion.TLSv1_2,
        highest_supported_version=tls.TLSVersion.TLSv1_2,
        max_fragmentation_length=tls.MaxFragmentLength.MFL_4096K,
        pre_shared_key=(identity, key.encode()),
        validate_certificates=False,
    )
    raw = socket.create_connection(("127.0.0.1", int(port)), timeout=20)
    connection = tls.ClientContext(configuration).wrap_socket(raw, server_hostname=None)
    try:
        connection.do_handshake()
        print("suite", connection.cipher(), flush=True)
        for message in messages:
            connection.send(message.encode())
            print("got", connection.recv(16384).decode(), flush=True)
        connection.close()
    except Exception as error:
        print("failed", error, flush=True)


main()

// The floor that Lintel's figures are measured against: the least that a bridge between MQTT and Tuya lamps (LAN
// protocol 3.3) can do.
//
// One epoll loop holds libmosquitto's socket and a TCP connection to each lamp. A command `<base>/device/<id>/set`
// becomes one frame of command 0x07; a status answer (0x0A) or a report (0x08) becomes one retained publish of
// `<base>/device/<id>/state`. There is no answer to commands, no validation, no registry and no process border. Nothing
// here allocates on the way of a message; what libmosquitto allocates, it allocates.
//
// The lamps are known by rule: number i has the address base + i and the id `<prefix><i, six digits>`; all share one
// local key. Only power, mode and brightness (data points 20, 21, 22) are carried.

#define _GNU_SOURCE
#include "frame.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    BROKER_TAG = UINT32_MAX,  // epoll tag of the broker's socket; lamps use their number
    HEARTBEAT_MS = 10000,     // silence in our direction before a heartbeat
    CONNECT_MS = 5000,        // longest time a connection attempt may take
    STABLE_MS = 10000,        // a session of this length starts again with the first reconnect delay
};

typedef struct {
    int descriptor;     // -1 while not connected
    bool connected;     // false while the attempt is on the way
    bool known;         // a status has been received
    bool power;         // data point 20
    char mode[12];      // data point 21
    int brightness;     // data point 22, 10...1000
    uint32_t sequence;  // of the last frame written
    int failures;       // reconnect attempts in a row
    uint64_t due;       // ms: next attempt, or the deadline of the present one
    uint64_t since;     // ms: when the session began
    uint64_t written;   // ms: when we last wrote
    int id_length;
    char id[40];
    int filled;         // bytes in `partial`
    uint8_t *partial;   // allocated when a frame is first split
} Lamp;

static const char *broker_host = "127.0.0.1", *base_topic = "lintel";
static const char *id_prefix = "bfbench0000000", *key = "0123456789abcdef";
static int broker_port = 1883, lamp_port = 6668, lamp_count = 1;
static in_addr_t lamp_base;
static Lamp *lamps;
static int poller = -1, broker_descriptor = -1;
static bool broker_up, broker_watches_writes;
static struct mosquitto *client;
static uint64_t now_ms, next_due = UINT64_MAX;
static size_t base_length, prefix_length;
static volatile sig_atomic_t stopping;

static uint64_t clock_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void fail(const char *what) {
    fprintf(stderr, "lintel-bench-floor: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void stop(int number) { stopping = number; }

// MARK: Lamp ← bridge

static void drop_lamp(Lamp *lamp);

// Writes `json`, which has room for 16 bytes of padding behind it, to the lamp as one frame in one call.
static void send_frame(Lamp *lamp, uint32_t command, uint8_t *json, size_t length) {
    uint8_t frame[FRAME_LIMIT];
    size_t size = frame_encode(frame, ++lamp->sequence, command, json, length);
    lamp->written = now_ms;
    // A lamp whose receive buffer is full is as good as gone: a bridge this small keeps no queue.
    if (send(lamp->descriptor, frame, size, MSG_NOSIGNAL) != (ssize_t)size) drop_lamp(lamp);
}

// Sends a query (0x0A) or a heartbeat (0x09), which may carry the same object.
static void send_request(Lamp *lamp, uint32_t command) {
    uint8_t json[256];
    int n = snprintf((char *)json, sizeof json - 16, "{\"gwId\":\"%s\",\"devId\":\"%s\",\"uid\":\"%s\",\"t\":\"%ld\"}",
                     lamp->id, lamp->id, lamp->id, (long)time(NULL));
    send_frame(lamp, command, json, (size_t)n);
}

// MARK: MQTT → lamp

// The text behind `"name":` in `json`, or NULL.
static const char *value_of(const char *json, size_t length, const char *name, size_t name_length) {
    const char *found = memmem(json, length, name, name_length);
    return found ? found + name_length : NULL;
}
#define VALUE_OF(json, length, name) value_of(json, length, name, sizeof(name) - 1)

static void on_message(struct mosquitto *m, void *context, const struct mosquitto_message *message,
                       const mosquitto_property *properties) {
    (void)m, (void)context, (void)properties;
    const char *id = message->topic + base_length + sizeof("/device/") - 1;
    int number = atoi(id + prefix_length);
    if (message->retain || number < 0 || number >= lamp_count || message->payloadlen <= 0) return;
    Lamp *lamp = &lamps[number];
    if (strncmp(id, lamp->id, (size_t)lamp->id_length) || !lamp->connected) return;
    size_t length = (size_t)message->payloadlen;
    const char *power = VALUE_OF(message->payload, length, "\"power\":");
    const char *brightness = VALUE_OF(message->payload, length, "\"brightness\":");
    if (!power && !brightness) return;
    char points[128];
    uint8_t json[320];
    int n = snprintf(points, 32, "\"20\":%s", power && *power == 'f' ? "false" : "true");
    if (brightness) {
        int raw = (atoi(brightness) * 1000 + 127) / 255;
        n += snprintf(points + n, 48, ",\"21\":\"white\",\"22\":%d", raw < 10 ? 10 : raw);
    }
    n = snprintf((char *)json, sizeof json - 16, "{\"devId\":\"%s\",\"uid\":\"%s\",\"t\":\"%ld\",\"dps\":{%.*s}}",
                 lamp->id, lamp->id, (long)time(NULL), n, points);
    send_frame(lamp, COMMAND_SET, json, (size_t)n);
}

// MARK: Lamp → MQTT

static void publish_state(const Lamp *lamp) {
    char topic[160], payload[160];
    snprintf(topic, sizeof topic, "%s/device/%s/state", base_topic, lamp->id);
    int n = snprintf(payload, sizeof payload, "{\"power\":%s,\"brightness\":%d,\"mode\":\"%s\"}",
                     lamp->power ? "true" : "false", (lamp->brightness * 255 + 500) / 1000, lamp->mode);
    mosquitto_publish_v5(client, NULL, topic, n, payload, 1, true, NULL);
}

// Takes the data points out of one decrypted status or report and publishes the whole state.
static void merge(Lamp *lamp, const char *json, size_t length) {
    const char *points = VALUE_OF(json, length, "\"dps\":"), *found;
    if (!points) return;
    length -= (size_t)(points - json);
    if ((found = VALUE_OF(points, length, "\"20\":"))) lamp->power = *found == 't';
    if ((found = VALUE_OF(points, length, "\"21\":\""))) {
        size_t n = 0;
        while (n < sizeof lamp->mode - 1 && found[n] && found[n] != '"') n++;
        memcpy(lamp->mode, found, n);
        lamp->mode[n] = 0;
    }
    if ((found = VALUE_OF(points, length, "\"22\":"))) lamp->brightness = atoi(found);
    lamp->known = true;
    publish_state(lamp);
}

static void take_frame(Lamp *lamp, const uint8_t *frame, size_t length) {
    char json[FRAME_LIMIT];
    uint32_t command = frame_command(frame);
    if (command != COMMAND_REPORT && command != COMMAND_QUERY) return;
    long size = frame_decode(frame, length, json);
    if (size > 0) merge(lamp, json, (size_t)size);
}

// Handles every complete frame in `bytes` and returns how many bytes are used up, or -1 if this is no stream of frames.
static long take_frames(Lamp *lamp, const uint8_t *bytes, size_t count) {
    size_t used = 0;
    for (;;) {
        long length = frame_length(bytes + used, count - used);
        if (length < 0) return -1;
        if (length == 0 || count - used < (size_t)length) return (long)used;
        take_frame(lamp, bytes + used, (size_t)length);
        used += (size_t)length;
    }
}

static void read_lamp(Lamp *lamp) {
    uint8_t buffer[4 * FRAME_LIMIT];
    memcpy(buffer, lamp->partial, (size_t)lamp->filled);
    ssize_t n = recv(lamp->descriptor, buffer + lamp->filled, sizeof buffer - (size_t)lamp->filled, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) return drop_lamp(lamp);
    n += lamp->filled;
    long used = take_frames(lamp, buffer, (size_t)n);
    if (used < 0 || n - used > FRAME_LIMIT) return drop_lamp(lamp);
    lamp->filled = (int)(n - used);
    if (lamp->filled && !lamp->partial && !(lamp->partial = malloc(FRAME_LIMIT))) fail("memory");
    if (lamp->filled) memcpy(lamp->partial, buffer + used, (size_t)lamp->filled);
}

// MARK: Connections to lamps

static void watch(int descriptor, uint32_t tag, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.u32 = tag};
    if (epoll_ctl(poller, operation, descriptor, &event)) fail("epoll_ctl");
}

static void schedule(Lamp *lamp, uint64_t at) {
    lamp->due = at;
    if (at < next_due) next_due = at;
}

// First after a random 0.1–0.6 s, then 1, 2, 5, 10, 30, 60 s, ±20 %.
static void drop_lamp(Lamp *lamp) {
    static const int delays[] = {0, 1000, 2000, 5000, 10000, 30000, 60000};
    if (lamp->descriptor >= 0) close(lamp->descriptor);
    if (lamp->connected && now_ms - lamp->since >= STABLE_MS) lamp->failures = 0;
    lamp->descriptor = -1;
    lamp->connected = false;
    lamp->filled = 0;
    int delay = delays[lamp->failures];
    int spread = delay ? rand() % (delay * 2 / 5) - delay / 5 : 100 + rand() % 500;
    if (lamp->failures < 6) lamp->failures++;
    schedule(lamp, now_ms + (uint64_t)(delay + spread));
}

static void connect_lamp(Lamp *lamp) {
    uint32_t number = (uint32_t)(lamp - lamps);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)lamp_port)};
    address.sin_addr.s_addr = htonl(ntohl(lamp_base) + number);
    int on = 1;
    lamp->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (lamp->descriptor < 0) fail("socket");
    setsockopt(lamp->descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    int result = connect(lamp->descriptor, (struct sockaddr *)&address, sizeof address);
    if (result && errno != EINPROGRESS) return drop_lamp(lamp);
    schedule(lamp, now_ms + CONNECT_MS);
    watch(lamp->descriptor, number, EPOLLOUT, EPOLL_CTL_ADD);
}

static void on_lamp(Lamp *lamp, uint32_t events) {
    if (lamp->descriptor < 0) return;
    if (lamp->connected) return read_lamp(lamp);
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(lamp->descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error || !(events & EPOLLOUT)) return drop_lamp(lamp);
    lamp->connected = true;
    lamp->since = now_ms;
    lamp->sequence = 0;
    watch(lamp->descriptor, (uint32_t)(lamp - lamps), EPOLLIN, EPOLL_CTL_MOD);
    send_request(lamp, COMMAND_QUERY);
}

static void reconnect_due_lamps(void) {
    next_due = UINT64_MAX;
    for (Lamp *lamp = lamps; lamp < lamps + lamp_count; lamp++) {
        if (lamp->connected) continue;
        if (lamp->due > now_ms) schedule(lamp, lamp->due);
        else if (lamp->descriptor >= 0) drop_lamp(lamp);
        else connect_lamp(lamp);
    }
}

// MARK: Connection to the broker

static void on_connect(struct mosquitto *m, void *context, int code, int flags, const mosquitto_property *properties)
{
    (void)context, (void)flags, (void)properties;
    if (code) return;
    char topic[160];
    snprintf(topic, sizeof topic, "%s/device/+/set", base_topic);
    mosquitto_subscribe_v5(m, NULL, topic, 1, MQTT_SUB_OPT_SEND_RETAIN_NEVER, NULL);
    for (Lamp *lamp = lamps; lamp < lamps + lamp_count; lamp++)
        if (lamp->known) publish_state(lamp);
}

static void watch_broker(void) {
    int descriptor = mosquitto_socket(client);
    bool writes = descriptor >= 0 && mosquitto_want_write(client);
    if (descriptor == broker_descriptor && (descriptor < 0 || writes == broker_watches_writes)) return;
    int operation = descriptor == broker_descriptor ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    if (descriptor >= 0) watch(descriptor, BROKER_TAG, EPOLLIN | (writes ? EPOLLOUT : 0), operation);
    broker_descriptor = descriptor;  // A closed descriptor has left the poller by itself.
    broker_watches_writes = writes;
}

static void on_broker(uint32_t events) {
    int result = MOSQ_ERR_SUCCESS;
    if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) result = mosquitto_loop_read(client, 1);
    if (result == MOSQ_ERR_SUCCESS && events & EPOLLOUT) result = mosquitto_loop_write(client, 1);
    broker_up = result == MOSQ_ERR_SUCCESS;
    if (!broker_up) broker_descriptor = -1;
}

static void connect_broker(void) {
    client = mosquitto_new(NULL, true, NULL);
    if (!client) fail("mosquitto_new");
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, 1000);
    mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, 1000);
    mosquitto_connect_v5_callback_set(client, on_connect);
    mosquitto_message_v5_callback_set(client, on_message);
    broker_up = mosquitto_connect(client, broker_host, broker_port, 30) == MOSQ_ERR_SUCCESS;
}

static void tick(void) {
    if (broker_up) broker_up = mosquitto_loop_misc(client) == MOSQ_ERR_SUCCESS;
    for (Lamp *lamp = lamps; lamp < lamps + lamp_count; lamp++)
        if (lamp->connected && now_ms - lamp->written >= HEARTBEAT_MS) send_request(lamp, COMMAND_HEARTBEAT);
}

static void run(void) {
    uint64_t next_tick = clock_ms() + 1000, next_broker_attempt = 0;
    struct epoll_event events[256];
    while (!stopping) {
        watch_broker();
        now_ms = clock_ms();
        uint64_t wake = next_due < next_tick ? next_due : next_tick;
        if (!broker_up && next_broker_attempt < wake) wake = next_broker_attempt;
        int count = epoll_wait(poller, events, 256, wake > now_ms ? (int)(wake - now_ms) : 0);
        now_ms = clock_ms();
        for (int i = 0; i < count; i++) {
            if (events[i].data.u32 == BROKER_TAG) on_broker(events[i].events);
            else on_lamp(&lamps[events[i].data.u32], events[i].events);
        }
        if (now_ms >= next_due) reconnect_due_lamps();
        if (now_ms >= next_tick) tick(), next_tick = now_ms + 1000;
        if (!broker_up && now_ms >= next_broker_attempt) {
            broker_descriptor = -1;
            broker_up = mosquitto_reconnect(client) == MOSQ_ERR_SUCCESS;
            next_broker_attempt = now_ms + 100;
        }
    }
}

static void read_options(int count, char **arguments) {
    static const struct option options[] = {
        {"host", 1, 0, 'h'},      {"port", 1, 0, 'p'},  {"base", 1, 0, 'b'},      {"lamp-base", 1, 0, 'l'},
        {"lamp-port", 1, 0, 'P'}, {"count", 1, 0, 'n'}, {"id-prefix", 1, 0, 'i'}, {"key", 1, 0, 'k'}, {0},
    };
    const char *first = "127.1.0.1";
    for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
        switch (option) {
        case 'h': broker_host = optarg; break;
        case 'p': broker_port = atoi(optarg); break;
        case 'b': base_topic = optarg; break;
        case 'l': first = optarg; break;
        case 'P': lamp_port = atoi(optarg); break;
        case 'n': lamp_count = atoi(optarg); break;
        case 'i': id_prefix = optarg; break;
        case 'k': key = optarg; break;
        default:
            fprintf(stderr, "options: --host --port --base --lamp-base --lamp-port --count --id-prefix --key\n");
            exit(64);
        }
    }
    lamp_base = inet_addr(first);
    base_length = strlen(base_topic), prefix_length = strlen(id_prefix);
    if (lamp_base == INADDR_NONE || lamp_count < 1 || strlen(key) != 16 || prefix_length > 30 || base_length > 60)
        errno = EINVAL, fail("options");
}

int main(int count, char **arguments) {
    read_options(count, arguments);
    signal(SIGTERM, stop), signal(SIGINT, stop), signal(SIGPIPE, SIG_IGN);
    srand((unsigned)(clock_ms() ^ (uint64_t)getpid()));
    if (!frame_setup(key)) fail("cipher");
    poller = epoll_create1(EPOLL_CLOEXEC);
    lamps = calloc((size_t)lamp_count, sizeof *lamps);
    if (poller < 0 || !lamps) fail("start");
    for (int i = 0; i < lamp_count; i++) {
        lamps[i].descriptor = -1;
        lamps[i].id_length = snprintf(lamps[i].id, sizeof lamps[i].id, "%s%06d", id_prefix, i);
    }
    mosquitto_lib_init();
    connect_broker();
    now_ms = clock_ms();
    reconnect_due_lamps();
    run();
    mosquitto_disconnect(client);
    mosquitto_destroy(client);
    mosquitto_lib_cleanup();
    return 0;
}

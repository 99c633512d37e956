#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netdb.h>
#include <stdlib.h>

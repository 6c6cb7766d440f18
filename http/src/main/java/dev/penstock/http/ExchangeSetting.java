package dev.penstock.http;

/** The current value of an adaptive setting, with its reason. */
record ExchangeSetting(String name, String value, String reason) {}

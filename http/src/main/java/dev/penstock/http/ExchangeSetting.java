package dev.penstock.http;

/** A setting that an exchange finds by itself, with its reason. */
record ExchangeSetting(String name, String value, String reason) {}

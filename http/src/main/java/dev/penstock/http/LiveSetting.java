package dev.penstock.http;

/** A setting that an exchange finds by itself, with its reason. */
record LiveSetting(String name, String value, String reason) {}

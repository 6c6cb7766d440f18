package dev.penstock.http;

import dev.penstock.Service;

/** A flow behind a path of a source. */
record Route(String path, String flow, Service<HttpCall, HttpAnswer> service, int maxBody) {}

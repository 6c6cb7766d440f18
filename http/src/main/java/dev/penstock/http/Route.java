package dev.penstock.http;

import dev.penstock.Service;

/** Routes a path of a source to a flow. */
record Route(String path, String flow, Service<HttpCall, HttpAnswer> service, int maxBody) {}

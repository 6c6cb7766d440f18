package dev.penstock.http;

import dev.penstock.Observation;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.internal.Paths;
import java.util.ArrayList;
import java.util.List;

/** What a request passes on of its trace, and what the trace shows of it: OpenTelemetry's conventions for HTTP clients. */
final class TraceFields {
    private TraceFields() {}

    /** Fields with those of a trace. */
    static Headers added(Headers fields, Observation observation) {
        List<Header> ofTrace = new ArrayList<>();
        observation.propagate((name, value) -> ofTrace.add(new Header(name, value)));
        Headers all = fields;
        for (Header field : ofTrace) {
            all = all.with(field);
        }
        return all;
    }

    /** Describes a request, without its query, which may contain secrets. */
    static void describe(HttpCall call, Address address, Observation observation) {
        call.describe(observation::attribute);
        observation.attribute("url.full", address.on(Paths.withoutQuery(call.path())));
        observation.attribute("server.address", address.bareHost());
        observation.attribute("server.port", address.port());
    }
}

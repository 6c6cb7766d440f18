package dev.penstock.gateway.transport;

import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import java.util.Map;

/** Takes HTTP calls, and sends them over a target that takes other requests. Shown as that one. */
public interface ConvertingTarget extends Target<HttpCall, HttpAnswer> {
    /** The other target, which is closed with this one. */
    Target<?, ?> target();

    @Override
    default String where() {
        return target().where();
    }

    @Override
    default List<Setting> settings() {
        return target().settings();
    }

    @Override
    default Map<String, Long> connections() {
        return target().connections();
    }

    @Override
    default Map<String, Map<String, Long>> counters() {
        return target().counters();
    }

    @Override
    default void close() {
        target().close();
    }
}

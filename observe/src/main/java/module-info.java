/** Metrics, JMX, health, traces and the dashboard of flows, for programs that embed them and for the gateway. */
module dev.penstock.observe {
    requires io.opentelemetry.context;
    requires java.management;
    requires jdk.httpserver;
    requires org.slf4j;
    requires static io.prometheus.metrics.model;
    requires static micrometer.registry.prometheus;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires transitive io.opentelemetry.api;
    requires transitive micrometer.core;

    exports dev.penstock.observe;
    exports dev.penstock.observe.page;
}

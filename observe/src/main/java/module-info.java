/** Metrics, JMX, health and the dashboard of flows, for programs that embed them and for the gateway. */
module dev.penstock.observe {
    requires java.management;
    requires jdk.httpserver;
    requires org.slf4j;
    requires static micrometer.registry.prometheus;
    requires static io.prometheus.metrics.model;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires transitive micrometer.core;

    exports dev.penstock.observe;
    exports dev.penstock.observe.page;
}

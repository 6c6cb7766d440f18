/** Metrics, JMX, health and the dashboard of flows, for programs that embed them and for the gateway. */
module dev.penstock.observe {
    requires static micrometer.registry.prometheus;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires transitive micrometer.core;

    exports dev.penstock.observe;
}

/**
 * Flows: chains of stages in front of a target. {@link dev.penstock} and {@link dev.penstock.flow} are for users; the other
 * packages are for Penstock's own modules, which are compiled after this one, and may change from version to version.
 */
@SuppressWarnings("module")
module dev.penstock.core {
    requires java.sql;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive HdrHistogram;

    exports dev.penstock;
    exports dev.penstock.flow;
    exports dev.penstock.collapse to
            dev.penstock.jdbc,
            dev.penstock.jms;
    exports dev.penstock.fleet to
            dev.penstock.jdbc,
            dev.penstock.gateway;
    exports dev.penstock.limit to
            dev.penstock.gateway;
    exports dev.penstock.memory to
            dev.penstock.observe,
            dev.penstock.http,
            dev.penstock.http.source,
            dev.penstock.gateway;
    exports dev.penstock.meter to
            dev.penstock.observe,
            dev.penstock.http.source,
            dev.penstock.gateway;
    exports dev.penstock.rate to
            dev.penstock.http.source,
            dev.penstock.udp,
            dev.penstock.gateway;
    exports dev.penstock.source to
            dev.penstock.jms,
            dev.penstock.kafka;
    exports dev.penstock.state to
            dev.penstock.observe,
            dev.penstock.jdbc,
            dev.penstock.jms;
    exports dev.penstock.supervise to
            dev.penstock.observe,
            dev.penstock.http,
            dev.penstock.http.source,
            dev.penstock.jdbc,
            dev.penstock.jms,
            dev.penstock.kafka,
            dev.penstock.udp,
            dev.penstock.lab,
            dev.penstock.gateway;
    exports dev.penstock.text to
            dev.penstock.observe,
            dev.penstock.http,
            dev.penstock.http.source,
            dev.penstock.jdbc,
            dev.penstock.jms,
            dev.penstock.kafka,
            dev.penstock.udp,
            dev.penstock.lab,
            dev.penstock.gateway;
}

/** The HTTP source. */
module dev.penstock.http.source {
    requires io.helidon.common;
    requires io.helidon.common.buffers;
    requires io.helidon.common.concurrency.limits;
    requires io.helidon.common.context;
    requires io.helidon.common.mapper;
    requires io.helidon.common.socket;
    requires io.helidon.http;
    requires io.helidon.http.encoding;
    requires io.helidon.http.media;
    requires transitive io.helidon.webserver;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;

    exports dev.penstock.http.source;
}

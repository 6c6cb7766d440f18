/** The HTTP target. Packages that are exported to other modules of Penstock may change from version to version. */
@SuppressWarnings("module")
module dev.penstock.http {
    requires org.apache.httpcomponents.core5.httpcore5;
    requires org.apache.httpcomponents.core5.httpcore5.h2;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires tools.jackson.core;
    requires transitive dev.penstock.core;

    exports dev.penstock.http;
    exports dev.penstock.http.balance;
    exports dev.penstock.http.batch;
    exports dev.penstock.http.header;
    exports dev.penstock.http.tls;
    exports dev.penstock.http.http1 to
            dev.penstock.http.source;
    exports dev.penstock.http.internal to
            dev.penstock.http.source;
    exports dev.penstock.http.pool to
            dev.penstock.gateway;
}

/** The HTTP source. */
module dev.penstock.http.source {
    requires org.eclipse.jetty.alpn.server;
    requires org.eclipse.jetty.http2.server;
    requires org.eclipse.jetty.server;
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;

    exports dev.penstock.http.source;
}

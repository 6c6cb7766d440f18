/** The source and the target of datagrams. */
module dev.penstock.udp {
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;

    exports dev.penstock.udp;
    exports dev.penstock.udp.socket;
    exports dev.penstock.udp.target;
}

/** The source and the target of Kafka's topics. */
module dev.penstock.kafka {
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires kafka.clients;

    exports dev.penstock.kafka;
    exports dev.penstock.kafka.source;
}

/** The target of Kafka's topics. */
module dev.penstock.kafka {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.core;
    requires kafka.clients;

    exports dev.penstock.kafka;
}

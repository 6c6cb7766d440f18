/** The database target, the guarded data source, and the idempotency store in a table. */
module dev.penstock.jdbc {
    requires java.logging;
    requires jdk.net;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;
    requires static org.postgresql.jdbc;
    requires static transitive org.jspecify;
    requires tools.jackson.core;
    requires transitive com.zaxxer.hikari;
    requires transitive dev.penstock.core;
    requires transitive java.sql;

    exports dev.penstock.jdbc;
    exports dev.penstock.jdbc.guard;
    exports dev.penstock.jdbc.store;
}

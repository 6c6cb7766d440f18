package dev.penstock.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The differences between databases. */
enum StoreDialect {
    POSTGRES("varchar(255) collate \"C\"", "bytea"),
    SQLITE("varchar(255)", "blob"),
    MARIADB("varbinary(255)", "longblob"),
    OTHER("varchar(255)", "blob");

    private final String idType;
    private final String bytesType;

    StoreDialect(String idType, String bytesType) {
        this.idType = idType;
        this.bytesType = bytesType;
    }

    static StoreDialect of(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (name.contains("postgresql")) {
            return POSTGRES;
        }
        if (name.equals("sqlite")) {
            return SQLITE;
        }
        return name.contains("mariadb") || name.contains("mysql") ? MARIADB : OTHER;
    }

    String create(String table) {
        return "create table " + table + " (id " + idType + " primary key, fingerprint varchar(64) not null,"
                + " owner bigint not null, lease_until bigint not null, kept_until bigint not null, ending " + bytesType
                + ")";
    }

    /** The clause of an insert that ignores an existing row; empty where a duplicate raises an error. */
    String ignoreDuplicate() {
        return this == SQLITE ? " on conflict do nothing" : "";
    }

    /** The clause of an update that makes it wait for a durable commit. */
    String waitForCommit() {
        return this == POSTGRES ? " from " + PostgresDurability.ON : "";
    }

    KeyRows rows(String table) {
        return this == POSTGRES ? new PostgresKeyRows(table) : new PlainKeyRows(table, this);
    }
}

package dev.penstock.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** What databases have each in their own way. */
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

    /** What follows an insert so that a row that is there already is no error; empty where it is one. */
    String unlessThere() {
        return this == SQLITE ? " on conflict do nothing" : "";
    }

    /** What follows the columns of an update so that its commit is waited for. */
    String durably() {
        return this == POSTGRES ? " from " + PostgresDurability.ON : "";
    }

    KeyRows rows(String table) {
        return this == POSTGRES ? new PostgresKeyRows(table) : new PlainKeyRows(table, this);
    }
}

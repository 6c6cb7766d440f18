package dev.penstock.jdbc.ledger;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * What databases have each in their own way.
 *
 * <h2>Design note</h2>
 *
 * <p>Times are those of the database, in milliseconds since 1970, so that processes whose clocks differ agree on leases. Where
 * we do not know how to ask for them, the clock of the process stands in: it only has to be right to within seconds, for no
 * key is sent again because a time has passed, but for one whose {@code keep} is over.
 */
enum Dialect {
    POSTGRES("cast(extract(epoch from clock_timestamp()) * 1000 as bigint)", "varchar(255) collate \"C\"", "bytea"),
    H2("cast(extract(epoch from current_timestamp) * 1000 as bigint)", "varchar(255)", "blob"),
    MARIADB("cast(unix_timestamp(current_timestamp(3)) * 1000 as signed)", "varbinary(255)", "longblob"),
    OTHER("", "varchar(255)", "blob");

    private final String now;
    private final String idType;
    private final String bytesType;

    Dialect(String now, String idType, String bytesType) {
        this.now = now;
        this.idType = idType;
        this.bytesType = bytesType;
    }

    static Dialect of(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        if (name.contains("postgresql")) {
            return POSTGRES;
        }
        if (name.equals("h2")) {
            return H2;
        }
        return name.contains("mariadb") || name.contains("mysql") ? MARIADB : OTHER;
    }

    /** SQL for the time. */
    String now() {
        return now.isEmpty() ? Long.toString(System.currentTimeMillis()) : now;
    }

    String create(String table) {
        return "create table " + table + " (id " + idType + " primary key, fingerprint varchar(64) not null,"
                + " owner bigint not null, lease_until bigint not null, kept_until bigint not null, ending " + bytesType
                + ")";
    }

    Rows rows(String table) {
        return this == POSTGRES ? new PostgresRows(table) : new PlainRows(table, this);
    }
}

package dev.penstock.gateway.config;

import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Where idempotency keys, and outcomes of transactions that pass a queue, are stored. All flows share it. */
public sealed interface StoreConfig {
    /** The key {@code store} of the file. */
    Key<StoreConfig> KEY = Key.<StoreConfig>of(
                    "store",
                    KeyType.mapping(Database.STORE, StoreConfig::read).orWords("embedded"),
                    "where idempotency keys and the outcomes of transactions are kept, of all flows")
            .or(new Embedded())
            .without("embedded: a file beside the state file")
            .alias("ledger database keys");

    /** A file beside the state file, for this gateway only. */
    record Embedded() implements StoreConfig {}

    /**
     * A database, shared by all gateways that use it.
     *
     * @param url the JDBC URL, which may contain secrets
     * @param user null uses the user of the URL
     * @param password null uses the password of the URL
     * @param table the table name
     */
    record Database(
            String url, @Nullable Secret user, @Nullable Secret password, String table) implements StoreConfig {
        private static final Schema STORE = Schema.of(
                "store",
                "store: { url: \"jdbc:postgresql://db.example/penstock\", user: penstock, password: \"${KEYS_PASSWORD}\" }");
        private static final Key<String> URL = STORE.key(
                        "url", KeyType.text("a JDBC URL", StoreConfig::url), "the database with the keys")
                .required("url: \"jdbc:postgresql://db.example/penstock\"")
                .alias("uri jdbc");
        private static final Key<Secret> USER =
                STORE.key("user", KeyType.user(), "the user of the database").alias("username");
        private static final Key<Secret> PASSWORD =
                STORE.key("password", KeyType.secret(), "the password of that user");
        private static final Key<String> TABLE = STORE.key(
                        "table",
                        KeyType.text("letters, digits and _", StoreConfig::table),
                        "the table, which is created if it is missing")
                .or("penstock_keys")
                .alias("name");

        /** Whether gateways can share it as a fleet. */
        public boolean isPostgres() {
            return url.startsWith("jdbc:postgresql:");
        }

        /** Omits the parts of the URL that may be secret. */
        public String where() {
            return "table " + table + " of " + url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
        }

        @Override
        public String toString() {
            return where();
        }
    }

    private static @Nullable StoreConfig read(ConfigValue value) {
        if (value.is("embedded")) {
            return new Embedded();
        }
        ConfigMapping store = value.mapping(Database.STORE, "embedded");
        if (store == null) {
            return null;
        }
        String url = store.valueOf(Database.URL);
        Secret user = store.valueOf(Database.USER);
        Secret password = store.valueOf(Database.PASSWORD);
        String table = store.get(Database.TABLE).value();
        return url == null ? null : new Database(url, user, password, table);
    }

    private static @Nullable String url(ConfigValue value) {
        String url = value.text();
        if (url == null || hasDriver(url)) {
            return url;
        }
        value.refuse(
                "has no JDBC driver",
                "write for instance jdbc:postgresql://db.example/penstock, or put the jar of that database's driver into the"
                        + " folder lib beside the flow file, or name its folder with --lib DIR");
        return null;
    }

    private static boolean hasDriver(String url) {
        try {
            return url.startsWith("jdbc:") && DriverManager.getDriver(url) != null;
        } catch (SQLException none) {
            return false;
        }
    }

    private static @Nullable String table(ConfigValue value) {
        return value.text(
                JdbcIdempotencyStore::isTableName,
                "which is not a valid table name",
                "write letters, digits and _, for instance penstock_keys");
    }
}

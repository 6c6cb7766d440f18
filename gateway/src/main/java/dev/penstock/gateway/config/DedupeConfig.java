package dev.penstock.gateway.config;

import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.text.Durations;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deduplication by idempotency key: which requests are executed once, and how long their outcomes are stored.
 *
 * @param location where it is in the file
 * @param key the header with the idempotency key
 * @param per the headers that identify a client; null identifies clients by their credentials
 * @param keep how long outcomes are stored; 1 s to 366 d, default 24 h
 * @param maxAnswer the largest stored answer in bytes; 0 to 16 MB, default 64 KB
 * @param store where keys and outcomes are stored; default a file beside the state file
 */
public record DedupeConfig(
        FileLocation location,
        Configured<String> key,
        @Nullable Configured<List<String>> per,
        Configured<Duration> keep,
        Configured<Long> maxAnswer,
        Configured<DedupeStore> store) {
    private static final String EXAMPLE = "dedupe: { key: Idempotency-Key, keep: 24h }";
    private static final String STORE_EXAMPLE =
            "store: { url: \"jdbc:postgresql://db.example/penstock\", user: penstock, password: \"${KEYS_PASSWORD}\" }";
    private static final String TABLE = "penstock_keys";
    private static final String DEFAULT_KEEP = "24h";
    private static final String DEFAULT_MAX_ANSWER = "64KB";

    private static final Keys DEDUPE = Keys.of(
            "dedupe",
            "key (header by), per (scope tenant), keep (ttl expire time for), "
                    + "max_answer (max_body size), store (ledger database in)");
    private static final Keys STORE = Keys.of("store", "url (uri jdbc), user (username), password, table (name)");

    /** The headers it reads. */
    public List<String> headers() {
        List<String> headers = new ArrayList<>(per == null ? List.of() : per.value());
        headers.add(key.value());
        return List.copyOf(headers);
    }

    public static @Nullable DedupeConfig read(@Nullable ConfigValue value) {
        if (value == null) {
            return null;
        }
        if (!value.isMapping()) {
            String header = HeaderNames.one(value, EXAMPLE);
            return header == null ? null : defaults(value.location(), Configured.inFile(header, value.location()));
        }
        ConfigMapping dedupe = value.mapping(DEDUPE, EXAMPLE);
        if (dedupe == null) {
            return null;
        }
        String keyExample = "key: Idempotency-Key";
        Configured<String> key = dedupe.required("key", keyExample, name -> HeaderNames.one(name, keyExample));
        Configured<List<String>> per = dedupe.ifGiven("per", names -> HeaderNames.several(names, "per: Tenant"));
        Configured<Duration> keep = dedupe.duration("keep", DEFAULT_KEEP, "1s", "366d");
        Configured<Long> maxAnswer = dedupe.size("max_answer", DEFAULT_MAX_ANSWER, "0B", "16MB");
        Configured<DedupeStore> store = dedupe.read("store", new DedupeStore.Embedded(), DedupeConfig::store);
        return key == null ? null : new DedupeConfig(value.location(), key, per, keep, maxAnswer, store);
    }

    private static DedupeConfig defaults(FileLocation location, Configured<String> key) {
        return new DedupeConfig(
                location,
                key,
                null,
                Configured.byDefault(Durations.parse(DEFAULT_KEEP)),
                Configured.byDefault(ConfigValue.bytes(DEFAULT_MAX_ANSWER)),
                Configured.byDefault(new DedupeStore.Embedded()));
    }

    public static @Nullable DedupeStore store(ConfigValue value) {
        if (value.is("embedded")) {
            return new DedupeStore.Embedded();
        }
        ConfigMapping store = value.mapping(STORE, STORE_EXAMPLE, "embedded");
        if (store == null) {
            return null;
        }
        Configured<String> url =
                store.required("url", "url: \"jdbc:postgresql://db.example/penstock\"", DedupeConfig::url);
        Configured<String> user = store.ifGiven("user", ConfigValue::text);
        Configured<Secret> password = store.ifGiven("password", ConfigValue::secret);
        Configured<String> table = store.read("table", TABLE, DedupeConfig::table);
        return url == null
                ? null
                : new DedupeStore.Database(
                        url.value(),
                        user == null ? null : user.value(),
                        password == null ? null : password.value(),
                        table.value());
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
        String name = value.text();
        if (name == null || JdbcIdempotencyStore.isTableName(name)) {
            return name;
        }
        value.refuseValue("which is not a valid table name", "write letters, digits and _, for instance penstock_keys");
        return null;
    }

    /** Where idempotency keys are stored. Flows with equal stores share one. */
    public sealed interface DedupeStore {
        /** A file beside the state file, for this gateway only. */
        record Embedded() implements DedupeStore {}

        /**
         * A database, shared by all gateways that use it.
         *
         * @param url the JDBC URL, which may contain secrets
         * @param user null uses the user of the URL
         * @param password null uses the password of the URL
         * @param table the table name
         */
        record Database(
                String url, @Nullable String user, @Nullable Secret password, String table) implements DedupeStore {
            /** Omits the parts of the URL that may be secret. */
            public String where() {
                return "table " + table + " of "
                        + url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
            }

            @Override
            public String toString() {
                return where();
            }
        }
    }
}

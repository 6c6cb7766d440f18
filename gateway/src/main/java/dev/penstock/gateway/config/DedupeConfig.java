package dev.penstock.gateway.config;

import dev.penstock.Dedupe;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
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
    private static final String KEY_EXAMPLE = "key: Idempotency-Key";
    private static final String EXAMPLE = "dedupe: { key: Idempotency-Key, keep: 24h }";
    private static final Schema STORE = Schema.of(
            "store",
            "store: { url: \"jdbc:postgresql://db.example/penstock\", user: penstock, password: \"${KEYS_PASSWORD}\" }");
    private static final Key<String> STORE_URL = STORE.key(
                    "url", KeyType.text("a JDBC URL", DedupeConfig::url), "the database with the keys")
            .required("url: \"jdbc:postgresql://db.example/penstock\"")
            .alias("uri jdbc");
    private static final Key<String> STORE_USER =
            STORE.key("user", KeyType.text(), "the user of the database").alias("username");
    private static final Key<Secret> STORE_PASSWORD =
            STORE.key("password", KeyType.secret(), "the password of that user");
    private static final Key<String> STORE_TABLE = STORE.key(
                    "table",
                    KeyType.text("letters, digits and _", DedupeConfig::table),
                    "the table, which is created if it is missing")
            .or("penstock_keys")
            .alias("name");

    private static final Schema DEDUPE = Schema.of("dedupe", EXAMPLE);
    private static final Key<String> HEADER = DEDUPE.key(
                    "key", HeaderNames.name(KEY_EXAMPLE), "the request header with the idempotency key")
            .required(KEY_EXAMPLE)
            .alias("header by");
    private static final Key<List<String>> PER = DEDUPE.key(
                    "per",
                    HeaderNames.names("per: Tenant"),
                    "the headers that tell clients apart, each with keys of its own")
            .without("all clients share their keys")
            .alias("scope tenant");
    private static final Key<Duration> KEEP = DEDUPE.key(
                    "keep", KeyType.duration("1s", "366d"), "how long outcomes are kept")
            .or(Dedupe.DEFAULT_KEEP)
            .alias("ttl expire time for");
    private static final Key<Long> MAX_ANSWER = DEDUPE.key(
                    "max_answer", KeyType.size("0B", "16MB"), "the largest body of an answer that is kept")
            .or((long) Dedupe.DEFAULT_MAX_ANSWER)
            .alias("max_body size");
    private static final Key<DedupeStore> KEYS_IN =
            store(DEDUPE, "where keys and outcomes are kept").alias("ledger database in");

    /** The key {@code dedupe} of a flow. */
    public static final Key<DedupeConfig> KEY = Key.of(
                    "dedupe",
                    KeyType.mapping(DEDUPE, DedupeConfig::read).or(HeaderNames.name(EXAMPLE)),
                    "what executes requests with equal idempotency keys once")
            .without("off")
            .alias("idempotency dedup deduplicate");

    /** The headers it reads. */
    public List<String> headers() {
        List<String> headers = new ArrayList<>(per == null ? List.of() : per.value());
        headers.add(key.value());
        return List.copyOf(headers);
    }

    private static @Nullable DedupeConfig read(ConfigValue value) {
        if (!value.isMapping()) {
            String header = HeaderNames.one(value, EXAMPLE);
            return header == null ? null : defaults(value.location(), Configured.inFile(header, value.location()));
        }
        ConfigMapping dedupe = value.mapping(DEDUPE);
        if (dedupe == null) {
            return null;
        }
        Configured<String> key = dedupe.find(HEADER);
        Configured<List<String>> per = dedupe.find(PER);
        Configured<Duration> keep = dedupe.get(KEEP);
        Configured<Long> maxAnswer = dedupe.get(MAX_ANSWER);
        Configured<DedupeStore> store = dedupe.get(KEYS_IN);
        return key == null ? null : new DedupeConfig(value.location(), key, per, keep, maxAnswer, store);
    }

    private static DedupeConfig defaults(FileLocation location, Configured<String> key) {
        return new DedupeConfig(
                location,
                key,
                null,
                Configured.byDefault(Dedupe.DEFAULT_KEEP),
                Configured.byDefault((long) Dedupe.DEFAULT_MAX_ANSWER),
                Configured.byDefault(new DedupeStore.Embedded()));
    }

    /** Declares {@code store}. */
    static Key<DedupeStore> store(Schema schema, String help) {
        return schema.key("store", KeyType.mapping(STORE, DedupeConfig::store).orWords("embedded"), help)
                .or(new DedupeStore.Embedded())
                .without("embedded: a file beside the state file");
    }

    private static @Nullable DedupeStore store(ConfigValue value) {
        if (value.is("embedded")) {
            return new DedupeStore.Embedded();
        }
        ConfigMapping store = value.mapping(STORE, "embedded");
        if (store == null) {
            return null;
        }
        String url = store.valueOf(STORE_URL);
        String user = store.valueOf(STORE_USER);
        Secret password = store.valueOf(STORE_PASSWORD);
        String table = store.get(STORE_TABLE).value();
        return url == null ? null : new DedupeStore.Database(url, user, password, table);
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

package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/** Where keys of transactions are kept. Flows that name the same one share it. */
public sealed interface DedupeStore {
    /** A file in the state folder, for this gateway alone. */
    record Embedded() implements DedupeStore {}

    /**
     * A database, for all gateways that name it.
     *
     * @param url its JDBC URL, which may hold secrets
     * @param user null for what the URL says
     * @param password null for what the URL says
     * @param table the table in it
     */
    record Database(
            String url, @Nullable String user, @Nullable Secret password, String table) implements DedupeStore {
        /** Without what may be secret in the URL. */
        public String where() {
            return "table " + table + " of " + url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
        }

        @Override
        public String toString() {
            return where();
        }
    }
}

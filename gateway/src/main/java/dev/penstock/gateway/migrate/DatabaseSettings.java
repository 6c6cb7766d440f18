package dev.penstock.gateway.migrate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an older pool of database connections was told; null for what it was not.
 *
 * @param url where the database is, which may hold secrets
 * @param password whether there is one, which is not read
 * @param most how many connections
 * @param least how many at least
 * @param waiting how long to wait for one; 0 for ever
 * @param idle how long one may lie idle; 0 for ever
 * @param age how old one may get; 0 for ever
 * @param driver what the driver is told, by name
 */
record DatabaseSettings(
        @Nullable OldValue<String> url,
        @Nullable OldValue<String> user,
        @Nullable String password,
        @Nullable OldValue<Integer> most,
        @Nullable OldValue<Integer> least,
        @Nullable OldValue<Duration> waiting,
        @Nullable OldValue<Duration> idle,
        @Nullable OldValue<Duration> age,
        @Nullable OldValue<String> initSql,
        @Nullable OldValue<String> testQuery,
        @Nullable OldValue<Boolean> autoCommit,
        @Nullable OldValue<Boolean> readOnly,
        @Nullable OldValue<String> isolation,
        List<PropertyLine> driver) {}

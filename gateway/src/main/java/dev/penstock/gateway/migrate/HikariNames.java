package dev.penstock.gateway.migrate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every property of HikariCP, 2 to 7. */
final class HikariNames {
    static final Map<String, OldName> ALL = new LinkedHashMap<>();

    static {
        use(OldUse.URL, "jdbcUrl");
        use(OldUse.USER, "username");
        use(OldUse.PASSWORD, "password");
        use(OldUse.MAX, "maximumPoolSize");
        use(OldUse.MIN, "minimumIdle");
        use(OldUse.WAIT_MILLIS, "connectionTimeout");
        use(OldUse.IDLE_MILLIS, "idleTimeout");
        use(OldUse.AGE_MILLIS, "maxLifetime");
        use(OldUse.INIT_SQL, "connectionInitSql");
        use(OldUse.TEST_QUERY, "connectionTestQuery");
        use(OldUse.AUTO_COMMIT, "autoCommit");
        use(OldUse.READ_ONLY, "readOnly");
        use(OldUse.ISOLATION, "transactionIsolation");
        because(DroppedReasons.KEPT_ALIVE, "keepaliveTime");
        because(DroppedReasons.LOOKED_AT, "validationTimeout", "jdbc4ConnectionTest");
        because(DroppedReasons.LENT, "leakDetectionThreshold");
        because(DroppedReasons.FOUND, "driverClassName");
        because(
                "give the URL instead: GuardedDataSource.over(dataSource, name) takes any other data source",
                "dataSourceClassName",
                "dataSource",
                "dataSourceJNDI",
                "dataSourceProperties");
        because(
                DroppedReasons.SHOWN,
                "metricRegistry",
                "metricsTrackerFactory",
                "healthCheckRegistry",
                "healthCheckProperties",
                "registerMbeans",
                "poolName");
        because(DroppedReasons.THREADS, "threadFactory", "scheduledExecutor", "scheduledExecutorService");
        because(DroppedReasons.RUNS, "initializationFailTimeout", "initializationFailFast");
        because(
                "say it in the URL, for instance currentSchema=billing for PostgreSQL, or in .initSql(...)",
                "catalog",
                "schema");
        because(
                "not there: what an error says of its connection is found out by its SQL state",
                "exceptionOverrideClassName",
                "exceptionOverride");
        because(
                "give user and password; a password that changes is read again with the file, at the next start",
                "credentialsProviderClassName",
                "credentialsProvider",
                "credentials");
        because(DroppedReasons.INSIDE, "isolateInternalQueries", "allowPoolSuspension");
    }

    private HikariNames() {}

    private static void use(OldUse use, String name) {
        ALL.put(name, new OldName(name, use));
    }

    private static void because(String why, String... names) {
        List.of(names).forEach(name -> ALL.put(name, new OldName(name, OldUse.NONE, why)));
    }
}

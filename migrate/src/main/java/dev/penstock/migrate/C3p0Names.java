package dev.penstock.migrate;

import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All properties of c3p0, 0.9 to 0.11. */
final class C3p0Names {
    static final Map<String, OldName> ALL = new LinkedHashMap<>();

    static {
        use(OldUse.URL, "jdbcUrl");
        use(OldUse.USER, "user");
        use(OldUse.PASSWORD, "password");
        use(OldUse.MAX, "maxPoolSize");
        use(OldUse.MIN, "minPoolSize");
        use(OldUse.WAIT_MILLIS, "checkoutTimeout");
        use(OldUse.IDLE_SECONDS, "maxIdleTime");
        use(OldUse.AGE_SECONDS, "maxConnectionAge");
        use(OldUse.TEST_QUERY, "preferredTestQuery");
        dropped(DroppedReasons.KEPT_ALIVE, "idleConnectionTestPeriod", "testConnectionOnCheckin");
        dropped(
                DroppedReasons.VALIDATED,
                "testConnectionOnCheckout",
                "connectionIsValidTimeout",
                "connectionTesterClassName",
                "automaticTestTable",
                "attemptResurrectOnCheckin");
        dropped(DroppedReasons.ON_DEMAND, "acquireIncrement", "initialPoolSize");
        dropped(
                DroppedReasons.BOUNDED_BY_WAIT,
                "acquireRetryAttempts",
                "acquireRetryDelay",
                "breakAfterAcquireFailure");
        dropped(
                "not needed: surplus connections are closed before the network drops idle ones",
                "maxIdleTimeExcessConnections");
        dropped(DroppedReasons.LEAKS, "unreturnedConnectionTimeout", "debugUnreturnedConnectionStackTraces");
        dropped(
                DroppedReasons.STATEMENTS,
                "maxStatements",
                "maxStatementsPerConnection",
                "statementCacheNumDeferredCloseThreads",
                "cancelAutomaticallyClosedStatements");
        dropped(DroppedReasons.DRIVER_BY_URL, "driverClass", "forceUseNamedDriverClass");
        dropped(
                DroppedReasons.THREADS,
                "numHelperThreads",
                "maxAdministrativeTaskTime",
                "taskRunnerFactoryClassName",
                "contextClassLoaderSource",
                "privilegeSpawnedThreads",
                "forceSynchronousCheckins");
        dropped(DroppedReasons.METRICS, "dataSourceName", "identityToken", "description");
        dropped(
                "not supported: an unfinished transaction is rolled back when its connection is returned",
                "autoCommitOnClose",
                "forceIgnoreUnresolvedTransactions");
        dropped(
                "use one user and password per data source",
                "overrideDefaultUser",
                "overrideDefaultPassword",
                "userOverridesAsString");
        dropped("to run a statement on each new connection use .initSql(...)", "connectionCustomizerClassName");
        dropped(
                DroppedReasons.INTERNAL,
                "extensions",
                "factoryClassLocation",
                "markSessionBoundaries",
                "propertyCycle",
                "usesTraditionalReflectiveProxies",
                "nestedDataSource",
                "nestedDataSourceName",
                "connectionPoolDataSource",
                "properties");
    }

    private C3p0Names() {}

    private static void use(OldUse use, String name) {
        ALL.put(name, new OldName(name, use));
    }

    private static void dropped(String why, String... names) {
        List.of(names).forEach(name -> ALL.put(name, new OldName(name, OldUse.NONE, why)));
    }
}

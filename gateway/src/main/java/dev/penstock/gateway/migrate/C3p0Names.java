package dev.penstock.gateway.migrate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every property of c3p0, 0.9 to 0.11. */
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
        because(DroppedReasons.KEPT_ALIVE, "idleConnectionTestPeriod", "testConnectionOnCheckin");
        because(
                DroppedReasons.LOOKED_AT,
                "testConnectionOnCheckout",
                "connectionIsValidTimeout",
                "connectionTesterClassName",
                "automaticTestTable",
                "attemptResurrectOnCheckin");
        because(DroppedReasons.ON_DEMAND, "acquireIncrement", "initialPoolSize");
        because(DroppedReasons.BOUNDED, "acquireRetryAttempts", "acquireRetryDelay", "breakAfterAcquireFailure");
        because(
                "not needed: what is not wanted any more is closed before the age at which the way kills",
                "maxIdleTimeExcessConnections");
        because(DroppedReasons.LENT, "unreturnedConnectionTimeout", "debugUnreturnedConnectionStackTraces");
        because(
                DroppedReasons.STATEMENTS,
                "maxStatements",
                "maxStatementsPerConnection",
                "statementCacheNumDeferredCloseThreads",
                "cancelAutomaticallyClosedStatements");
        because(DroppedReasons.FOUND, "driverClass", "forceUseNamedDriverClass");
        because(
                DroppedReasons.THREADS,
                "numHelperThreads",
                "maxAdministrativeTaskTime",
                "taskRunnerFactoryClassName",
                "contextClassLoaderSource",
                "privilegeSpawnedThreads",
                "forceSynchronousCheckins");
        because(DroppedReasons.SHOWN, "dataSourceName", "identityToken", "description");
        because(
                "not there: what a transaction left undone is rolled back when its connection comes back",
                "autoCommitOnClose",
                "forceIgnoreUnresolvedTransactions");
        because(
                "give one user and password for each data source",
                "overrideDefaultUser",
                "overrideDefaultPassword",
                "userOverridesAsString");
        because(
                "for one statement at the beginning of each connection use .initSql(...)",
                "connectionCustomizerClassName");
        because(
                DroppedReasons.INSIDE,
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

    private static void because(String why, String... names) {
        List.of(names).forEach(name -> ALL.put(name, new OldName(name, OldUse.NONE, why)));
    }
}

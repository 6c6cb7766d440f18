package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Single settings of resilience4j, Hystrix and Tomcat. */
class StageImportTest {
    @TempDir
    Path folder;

    private String yaml(String old) throws Exception {
        String yaml = SettingsImport.flowFile(Files.writeString(folder.resolve("old"), old.replace(";;", "\n")));
        FlowFile.read(Files.writeString(folder.resolve("flows.yaml"), yaml), name -> name.equals("SET") ? "7" : null);
        return yaml;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "resilience4j.timelimiter.instances.a.timeoutDuration=PT1.5S | deadline: 1500ms  # resilience4j.timelimiter.instances.a.timeoutDuration=PT1.5S (line 1)",
                "resilience4j.timelimiter.instances.a.timeoutDuration=250 | deadline: 250ms  #",
                "resilience4j.timelimiter.instances.a.timeoutDuration=2h | deadline: 1h  # resilience4j.timelimiter.instances.a.timeoutDuration=2h (line 1); here of the whole transaction, retries and waits included; allowed here: 1ms to 1h",
                "resilience4j.retry.instances.a.waitDuration=250 | resilience4j.retry.instances.a.waitDuration (line 1): automatic: random waits",
                "hystrix.command.a.circuitBreaker.enabled=${CB:false} | breaker: off  # hystrix.command.a.circuitBreaker.enabled=${CB:false} (line 1)",
                "hystrix.command.a.execution.timeout.enabled=${T:false};;hystrix.command.a.execution.isolation.thread.timeoutInMilliseconds=9 | timeoutInMilliseconds (line 2): not effective",
                "resilience4j.retry.instances.a.baseConfig=${C:${D:b}};;resilience4j.retry.configs.b.maxAttempts=5 | attempts: 5",
                "resilience4j.retry.instances.a.maxAttempts=${A:${B:6}} | attempts: \"${A:6}\"  # resilience4j.retry.instances.a.maxAttempts=${A:${B:6}} (line 1; a flow file reads only the outer one of nested placeholders)",
                "resilience4j.retry.instances.a.maxAttempts=${A:${B:${C:6}}} | attempts: \"${A:6}\"",
                "hystrix.threadpool.a.coreSize=${SET:${B}} | limit: \"${SET}\"",
                "resilience4j.retry.instances.a.maxAttempts=${N:4} | attempts: \"${N:4}\"",
                "resilience4j.timelimiter.configs.default.timeoutDuration=3s | deadline: 3s  # resilience4j.timelimiter.configs.default.timeoutDuration=3s (line 1)",
                "resilience4j.circuitbreaker.configs.x.failureRateThreshold=50;;resilience4j.retry.instances.a.maxAttempts=2 | resilience4j.circuitbreaker.configs.x.failureRateThreshold (line 1): no instance uses it",
                "hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds=${T:500} | deadline: \"${T:500}ms\"",
                "hystrix.command.default.execution.isolation.thread.timeoutInMilliseconds=${SET} | deadline: \"${SET}ms\"",
                "hystrix.threadpool.a.coreSize=5;;hystrix.threadpool.a.maxQueueSize=-1;;hystrix.threadpool.a.queueSizeRejectionThreshold=9 | length: 0  # hystrix.threadpool.a.maxQueueSize=-1 (line 2)",
                "hystrix.threadpool.a.maxQueueSize=4;;hystrix.threadpool.a.queueSizeRejectionThreshold=9 | length: 4  #",
                "hystrix.command.a.circuitBreaker.forceClosed=true | breaker: off  # hystrix.command.a.circuitBreaker.forceClosed=true (line 1)",
                "hystrix.collapser.a.timerDelayInMilliseconds=90000 | budget: 29999ms  #",
                "server.tomcat.maxConnections=-1 | max_connections: 100000  #",
                "server.tomcat.keep-alive-timeout=1ms | idle_time: 10ms  #",
                "server.tomcat.keep-alive-timeout=${T:9s} | idle_time: \"${T:9s}\"",
                "server.tomcat.keep-alive-timeout=${T:9000} | idle_time: \"${T:9000}ms\"",
                "server.tomcat.max-http-form-post-size=${S:-1} | max_body: \"${S:999999999}B\"",
                "server.tomcat.max-http-form-post-size=${S:2MB} | max_body: \"${S:2MB}\"",
                "server.tomcat.accesslog.enabled=true;;server.tomcat.accesslog.max-days=3 | server.tomcat.accesslog.enabled (line 1), server.tomcat.accesslog.max-days (line 2): not needed: the log",
                "server.port=${PORT:8080};;server.tomcat.max-connections=7;;jdbcUrl=jdbc:h2:mem:x | from: { http: { port: 8081, path: /database } }",
                "hystrix.command.a.circuitBreaker.requestVolumeThreshold=5 | deadline: 1s  # timeoutInMilliseconds is not given; the default of Hystrix",
                "hystrix.command.a.circuitBreaker.forceOpen=false | forceOpen (line 1): false: the breaker decides",
                "hystrix.command.a.threadPoolKeyOverride=p;;hystrix.threadpool.p.coreSize=7 | limit: 7  # hystrix.threadpool.p.coreSize=7 (line 2)",
                "resilience4j.retry.instances.a.retryExceptions[0]=x | attempts: 3  #",
                "resilience4j.retry.instances.a= | attempts: 3  #",
                "resilience4j.retry.configs.default.maxAttempts=4;;resilience4j.retry.instances.a= | attempts: 4  #",
                "resilience4j.timelimiter.instances.a.cancelRunningFuture=true | deadline: 1s  # timeoutDuration is not given; the default of resilience4j",
                "resilience4j.retry.configs.default.maxAttempts=4;;resilience4j.retry.configs.b.waitDuration=9;;resilience4j.retry.instances.a.baseConfig=b | attempts: 4  #",
                "resilience4j.retry.configs.default.maxAttempts=4;;resilience4j.retry.instances.default.waitDuration=9 | attempts: 3  #",
                "resilience4j.bulkhead.instances.a.maxConcurrentCalls=9;;resilience4j.thread-pool-bulkhead.instances.a.queueCapacity=2 | resilience4j.thread-pool-bulkhead.instances.a.queueCapacity (line 2): the bulkhead of the same name takes precedence",
                "resilience4j.retry.instances.a.tags=;;resilience4j.ratelimiter.limiters.a.limitForPeriod=3 | resilience4j.ratelimiter.limiters.a.limitForPeriod (line 2): not converted: a limit finds the rate that a target takes",
                "resilience4j.retry.instances.a.tags=;;resilience4j.micrometer.timer.instances.b.metricNames=x | resilience4j.retry.instances.a.tags (line 1), resilience4j.micrometer.timer.instances.b.metricNames (line 2): not needed: the log",
                "resilience4j.timelimiter.instances.a.timeoutDuration=${T:2s};;resilience4j.bulkhead.instances.a.maxWaitDuration=9s | time: 2s  #",
            })
    void convertsValue(String old, String expected) throws Exception {
        assertThat(yaml(old).replaceAll("\n *# +", " ")).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "resilience4j.retry.instances.a.maxAttempts=many | old:1:1: 'resilience4j.retry.instances.a.maxAttempts' is \"many\", which is not a number; write for instance 10",
                "hystrix.command.a.execution.isolation.thread.timeoutInMilliseconds=5 y | which is not a time; write for instance 500",
                "hystrix.collapser.a.requestCache.enabled=yes | which is neither true nor false; write one of them",
                "resilience4j.retry.instances.a.maxAttempts=x${A:1} | which is not a placeholder ${NAME} or ${NAME:default}; write the value",
                "<a><Connector protocol='AJP/1.3' port='8009'/></a> | old: the file has no settings of Tomcat that a flow could use",
            })
    void refusesValue(String old, String expected) throws Exception {
        BadConfig bad = catchThrowableOfType(BadConfig.class, () -> yaml(old));
        assertThat(bad.lines()).singleElement().asString().contains(expected);
    }

    @Test
    void hystrixWithoutTimeoutHasTheDeadlineOfFlows() throws Exception {
        assertThat(yaml("hystrix.command.a.execution.timeout.enabled=false")).doesNotContain("deadline");
    }
}

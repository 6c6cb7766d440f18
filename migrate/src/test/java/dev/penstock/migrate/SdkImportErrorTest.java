package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.gateway.config.BadConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about a file that the SDK would reject. */
class SdkImportErrorTest {
    @TempDir
    Path folder;

    Old old;

    @BeforeEach
    void file() {
        old = new Old(folder);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "maxConnections=many        | 'maxConnections' is \"many\", which is not a whole number up to 2147483647; write for instance 1000",
                "maxConnections=3000000000  | 'maxConnections' is \"3000000000\", which is not a whole number up to 2147483647; write for instance 1000",
                "maxConnections=            | 'maxConnections' is empty; write for instance 1000",
                "maxConnections=0           | 'maxConnections' is 0, but must be greater than 0; write for instance 1000",
                "maxConnectionsPerRoute=-1  | 'maxConnectionsPerRoute' is -1, but must be greater than 0; write for instance 1000",
                "socketTimeoutMs=130s       | 'socketTimeoutMs' is \"130s\", which is not a whole number up to 2147483647; write for instance 130000",
                "evictThreadSleepTimeMs=-5  | 'evictThreadSleepTimeMs' is -5, but must be greater than 0; write for instance 3000",
                "staleConnectionCheckEnabled=yes | 'staleConnectionCheckEnabled' is \"yes\", which is neither true nor false; write one of them",
                "numberOfRetries=6          | 'numberOfRetries' is 6, but the SDK requires 1 to 5; correct it, or set allowRetry=false",
                "numberOfRetries=0          | 'numberOfRetries' is 0, but the SDK requires 1 to 5; correct it, or set allowRetry=false",
                "retryInterval=1            | 'retryInterval' is 1 ms, but the SDK requires at least 2; write for instance 1000",
                "allowRetry=on              | 'allowRetry' is \"on\", which is neither true nor false; write one of them",
                "serverURL=gw.example/v1    | 'serverURL' has no scheme; begin it with http:// or https://",
                "serverURL=ftp://gw.example | 'serverURL' has the scheme 'ftp', which is not supported; use http or https",
                "targetAPIVersion=newest    | 'targetAPIVersion' is not a version; write for instance 1.164",
                "retryIfMTIFieldExist=maybe  | 'retryIfMTIFieldExist' is \"maybe\", which is neither true nor false; write one of them",
                "enableLog=maybe             | 'enableLog' is \"maybe\", which is neither true nor false; write one of them",
                "timeout=soon                | 'timeout' is \"soon\", which is not a whole number up to 2147483647; write for instance 130",
                "validateAfterInactivityMs=x | 'validateAfterInactivityMs' is \"x\", which is not a whole number up to 2147483647; write for instance 0",
                "useHttpClient=             | 'useHttpClient' is \"\", which is neither true nor false; write one of them",
            })
    void rejectsInvalidValueWithItsLine(String line, String text) {
        assertThat(old.errors(Old.POOLED + "\n" + line + "\n")).containsExactly("cybs.properties:12:1: " + text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "proxyHost=a b                    | 'proxyHost' is not a host name; write for instance proxy.example",
                "proxyHost=                       | 'proxyHost' is not a host name; write for instance proxy.example",
                "proxyHost=http://u:s3cr3t@p      | 'proxyHost' is not a host name; write for instance proxy.example",
                "proxyHost=u:s3cr3t@p             | 'proxyHost' is not a host name; write for instance proxy.example",
            })
    void rejectsInvalidProxyWithoutShowingIt(String line, String text) {
        assertThat(old.errors(Old.POOLED + line + "\n")).containsExactly("cybs.properties:11:1: " + text);
    }

    @Test
    void rejectsInvalidPortAndLogin() {
        assertThat(old.errors(Old.POOLED + "proxyHost=p\nproxyPort=0\nproxyUser=a:b\n"))
                .containsExactly(
                        "cybs.properties:12:1: 'proxyPort' is 0; write a port from 1 to 65535",
                        "cybs.properties:13:1: 'proxyUser' is not a valid user name; write one line without a colon");
    }

    @Test
    void reportsAllMissingKeys() {
        assertThat(old.errors("useHttpClientWithConnectionPool=true\nmaxConnections=0\nconectionTimeoutMs=5000\n"))
                .containsExactly(
                        "cybs.properties: 'targetAPIVersion' is missing, but required by the SDK without namespaceURI; add for instance targetAPIVersion=1.164",
                        "cybs.properties: 'defaultMaxConnectionsPerRoute' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for instance defaultMaxConnectionsPerRoute=1000",
                        "cybs.properties: 'maxConnectionsPerRoute' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for instance maxConnectionsPerRoute=1000",
                        "cybs.properties: 'connectionRequestTimeoutMs' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for instance connectionRequestTimeoutMs=1000",
                        "cybs.properties: 'evictThreadSleepTimeMs' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for instance evictThreadSleepTimeMs=3000",
                        "cybs.properties: 'maxKeepAliveTimeMs' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for instance maxKeepAliveTimeMs=300000",
                        "cybs.properties: 'socketTimeoutMs' is missing, but required by the SDK with useHttpClientWithConnectionPool=true; add for instance socketTimeoutMs=130000",
                        "cybs.properties:2:1: 'maxConnections' is 0, but must be greater than 0; write for instance 1000",
                        "cybs.properties:3:1: 'conectionTimeoutMs' is not a property of the SDK; did you mean 'connectionTimeoutMs', which is missing?");
    }

    @Test
    void rejectsFileWithoutUrl() {
        assertThat(old.errors("namespaceURI=urn:x\n"))
                .containsExactly(
                        "cybs.properties: 'serverURL' is missing, but required by the SDK without targetAPIVersion; add for instance serverURL=https://gateway.example/v1");
    }

    @Test
    void rejectsNegativeTimeout() {
        assertThat(old.errors("targetAPIVersion=1\ntimeout=-1\n"))
                .containsOnly(
                        "cybs.properties:2:1: 'timeout' is -1 seconds, but must not be negative; write for instance 130");
    }

    @Test
    void rejectsFileOfUnknownClient() {
        assertThat(old.errors("flows:\n  payments: {}\n"))
                .containsExactly(
                        "cybs.properties: the file contains no property of a known client; give the file of the payment SDK (cybs.properties in most cases), or that of c3p0, HikariCP, Hibernate, Spring, resilience4j, Hystrix or Tomcat");
        assertThatExceptionOfType(BadConfig.class)
                .isThrownBy(() -> SettingsImport.flowFile(folder))
                .withMessage(folder + ": this is a directory; give the settings file itself");
        assertThatExceptionOfType(BadConfig.class)
                .isThrownBy(() -> SettingsImport.flowFile(folder.resolve("none")))
                .withMessage(folder.resolve("none") + ": file not found; check the path");
    }
}

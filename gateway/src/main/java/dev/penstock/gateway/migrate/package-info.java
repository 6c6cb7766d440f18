/**
 * Converts the settings of an older client to an equivalent flow file.
 *
 * <pre>
 *   cybs.properties --> PropertiesText --> SdkReader --> SdkSettings --> FlowText --> YAML, a comment on every line
 *                       (names, values,    (what the     (its settings,  (what Penstock
 *                        lines)             SDK reads)    with units)     calls it)
 *
 *   hibernate.properties --> the same --> DatabaseReader --> DatabaseSettings --> DatabaseText, DatabaseJava
 *   (c3p0, HikariCP)                      (by OldPools, which knows every name)
 * </pre>
 *
 * <p>Start at {@link dev.penstock.gateway.migrate.PropertiesImport}, which detects the client. The semantics are those
 * of the code of the payment SDK 6.2.15 (its {@code MerchantConfig} and its connections on HttpClient 4.5), where it
 * differs from its documentation; of c3p0 0.9.5 to 0.11, of HikariCP up to 7.1, and of the names Hibernate and Spring
 * use for these. The text never contains a secret of the old file.
 */
@NullMarked
package dev.penstock.gateway.migrate;

import org.jspecify.annotations.NullMarked;

/**
 * From the settings of an older client to a flow file that does the same.
 *
 * <pre>
 *   cybs.properties --> PropertiesText --> SdkReader --> SdkSettings --> FlowText --> YAML, a comment on every line
 *                       (names, values,    (what the     (what it did,   (what Penstock
 *                        lines)             SDK reads)    with units)     calls it)
 *
 *   hibernate.properties --> the same --> DatabaseReader --> DatabaseSettings --> DatabaseText, DatabaseJava
 *   (c3p0, HikariCP)                      (by OldPools, which knows every name)
 * </pre>
 *
 * <p>Start at {@link dev.penstock.gateway.migrate.PropertiesImport}, which tells whose file it is. Meanings are those of the payment SDK
 * 6.2.15 (its {@code MerchantConfig} and its connections on HttpClient 4.5), not those of its documentation where the two
 * differ; of c3p0 0.9.5 to 0.11, of HikariCP to 7.1, and of Hibernate's and Spring's names for these. No secret of the old
 * file is ever part of the text.
 */
@NullMarked
package dev.penstock.gateway.migrate;

import org.jspecify.annotations.NullMarked;

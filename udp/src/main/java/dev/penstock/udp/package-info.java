/**
 * Datagrams: a source that drops nothing it could have kept and counts what it could not, and a target that asks again.
 *
 * <pre>
 *   card > backlog > socket buffer --- recvmmsg ---> ring ---> handler ---> answers --- sendmmsg ---> who asked
 *     each place where one can be lost is a {@link dev.penstock.udp.DropLocation}, and is counted
 * </pre>
 */
@NullMarked
package dev.penstock.udp;

import org.jspecify.annotations.NullMarked;

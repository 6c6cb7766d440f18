/**
 * UDP: a source that avoids drops and counts those that happen, and a target ({@link dev.penstock.udp.target}) that repeats
 * unanswered requests.
 *
 * <pre>
 *   card > backlog > socket buffer --- recvmmsg ---> ring ---> handler ---> answers --- sendmmsg ---> client
 *     each place where a datagram can be lost is a {@link dev.penstock.udp.DropLocation}, and is counted
 * </pre>
 */
@NullMarked
package dev.penstock.udp;

import org.jspecify.annotations.NullMarked;

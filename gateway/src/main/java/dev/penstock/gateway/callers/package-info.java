/**
 * Who calls a flow, and how much of it each caller may use. {@link dev.penstock.gateway.callers.CallerGate} is the gate in front of
 * one flow: it finds the caller by API key, token or client certificate, replaces the credentials by the caller's name, and
 * refuses what is beyond the caller's share.
 */
@NullMarked
package dev.penstock.gateway.callers;

import org.jspecify.annotations.NullMarked;

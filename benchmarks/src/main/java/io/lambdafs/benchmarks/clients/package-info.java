/**
 * {@code lambdafs bench clients}: what it buys, or costs, that at most so many clients of a process share a TCP server (the paper's §3.2).
 * Equally many clients of this process, with one server and with several, ask the same instances in turns.
 */
@NullMarked
package io.lambdafs.benchmarks.clients;

import org.jspecify.annotations.NullMarked;

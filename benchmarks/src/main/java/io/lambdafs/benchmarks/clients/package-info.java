/**
 * {@code lambdafs bench clients}: measures the effect of limiting the clients per TCP server in a process (the paper's
 * §3.2). Equally many clients of this process, with one server and with several, call the same instances in turns.
 */
@NullMarked
package io.lambdafs.benchmarks.clients;

import org.jspecify.annotations.NullMarked;

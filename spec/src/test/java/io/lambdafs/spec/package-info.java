/**
 * Has TLC check the TLA+ model of the protocol: the full protocol keeps every invariant, and each variant that leaves a rule out breaks
 * the one that the rule is there for. TLC runs in JVMs of its own; what it prints, counterexamples too, stays in {@code target/tlc}.
 */
@NullMarked
package io.lambdafs.spec;

import org.jspecify.annotations.NullMarked;

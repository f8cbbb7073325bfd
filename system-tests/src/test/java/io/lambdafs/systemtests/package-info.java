/**
 * Tests of the whole system, and of the rules that its code keeps: which room may depend on which, what may block, and where
 * each framework may appear. {@code violations} holds classes that break each rule on purpose, so that a rule which has
 * stopped seeing anything is noticed.
 */
@NullMarked
package io.lambdafs.systemtests;

import org.jspecify.annotations.NullMarked;

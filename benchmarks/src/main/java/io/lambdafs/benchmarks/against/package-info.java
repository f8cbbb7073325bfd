/**
 * {@code lambdafs bench against}: compares this build with another one, each with its own clients and servers, in
 * turns. It uses only the documented command line, so the other build may be of any age.
 */
@NullMarked
package io.lambdafs.benchmarks.against;

import org.jspecify.annotations.NullMarked;

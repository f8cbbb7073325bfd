/**
 * Recorded operations: our own CSV format and HDFS's audit logs, read as streams, and the namespace that they presume.
 */
@NullMarked
package io.lambdafs.hammer.trace;

import org.jspecify.annotations.NullMarked;

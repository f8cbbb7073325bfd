/** Whether the embedded store keeps its pace while the namespace grows: creates scattered over many directories. */
@NullMarked
package io.lambdafs.benchmarks.scattered;

import org.jspecify.annotations.NullMarked;

/** What load is asked for and what it ends with. */
package io.lambdafs.hammer.load;
